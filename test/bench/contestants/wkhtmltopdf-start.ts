/** How the program that calls wkhtmltopdf is told what it is. */

/** How many documents it converts at once. */
export const workersVariable = 'PLATEN_BENCH_WORKERS';
