/** The start parameters of the program that calls wkhtmltopdf. */

/** The environment variable with the number of parallel conversions. */
export const workersVariable = 'PLATEN_BENCH_WORKERS';
