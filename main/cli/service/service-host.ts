/** What runs services on a platform, and what it can do for us. */
import type { KeptPlan, ServicePlan, Which } from './plan.ts';

export interface ServiceHost {
  readonly usual: (which: Which) => Pick<KeptPlan, 'as' | 'data'>;
  /** The definition of a service, as text. */
  readonly define: (plan: ServicePlan) => string;
  /** The one that is installed; undefined when there is none. */
  readonly installed: (which: Which) => Promise<string | undefined>;
  /** Why nothing can be done here and now, with what to do instead; undefined when it can. */
  readonly obstacle: (which: Which) => Promise<string | undefined>;
  /** Makes the user it runs as, where one is missing. Undefined where files need not be given to anybody. @throws Error with one sentence */
  readonly ensureUser: (plan: KeptPlan) => Promise<Identity | undefined>;
  /** Gives the data folder to a user that has no numbers. */
  readonly giveData?: (plan: KeptPlan) => Promise<void>;
  /** Puts the definition in place; from now on the service starts with the machine. @throws Error with one sentence */
  readonly install: (plan: ServicePlan) => Promise<void>;
  /** The opposite, after a stop. @throws Error with one sentence */
  readonly remove: (plan: KeptPlan) => Promise<void>;
  readonly start: (plan: KeptPlan) => Promise<void>;
  /** Resolves when it has ended. */
  readonly stop: (plan: KeptPlan) => Promise<void>;
  readonly state: (which: Which) => Promise<ServiceState>;
  /** What to type to read its log. */
  readonly logCommand: (plan: KeptPlan) => string;
  /** Settings without which nobody would hear of it again. */
  readonly settings: Readonly<Record<string, string>>;
  /** What remains to be done by hand, as a sentence. */
  readonly afterwards?: (plan: KeptPlan) => Promise<string | undefined>;
}

/** Numbers of a user and of his group. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

export interface ServiceState {
  readonly running: boolean;
  /** What follows "it is". */
  readonly says: string;
}

export const needsRoot = 'a service of the whole machine needs root';
