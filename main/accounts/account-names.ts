/** What accounts and keys may be called where a person calls them so; those of the settings may have other names. */

export interface NameRule {
  /** What is allowed, to follow "allowed: " in a message. */
  readonly allowed: string;
  readonly pattern: RegExp;
}

export const accountNames: NameRule = {
  allowed: '1 to 64 letters, digits and . _ @ -',
  pattern: /^[\p{L}\p{N}._@-]{1,64}$/u,
};

/** What a key is for. */
export const keyNames: NameRule = {
  allowed: '1 to 100 characters on one line',
  pattern: /^[^\p{C}]{1,100}$/u,
};

/** Credits that can be written for an account: as many digits as the settings take. */
export const mostCredits = 999_999_999_999;
