/** The archive worker as a program that tests can start. */
import '../../../main/input/archive/worker.ts';
