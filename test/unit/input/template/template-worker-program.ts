/** The template worker as a program that tests can start. */
import '../../../../main/input/template/worker.ts';
