/** Exports handle-task.ts to programs that the tests write. */
export { endWithParent, handleTask } from '../../../main/subprocess/handle-task.ts';
