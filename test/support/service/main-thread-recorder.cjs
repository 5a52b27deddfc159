/**
 * Loaded into the service's process with NODE_OPTIONS=--require. Records the tasks of Chromium's main thread with their processor
 * time, and samples of the JavaScript stack, between the requests /start and /stop on a Unix socket. Both use the monotonic clock.
 */
const { isMainThread } = require('node:worker_threads');

// The launcher, worker threads and subprocesses inherit NODE_OPTIONS.
if (process.type === 'browser' && isMainThread) serve();

function serve() {
  const { Session } = require('node:inspector/promises');
  const session = new Session();
  session.connect();
  const handlers = {
    '/start': () => start(session),
    '/stop': () => stop(session),
  };
  const server = require('node:http').createServer((request, response) => {
    handlers[request.url]().then(
      (result) => response.end(JSON.stringify(result)),
      (problem) => response.writeHead(500).end(String(problem)),
    );
  });
  // The recorder must not keep the service running.
  server.listen(process.env.MAIN_THREAD_SOCKET).unref();
}

async function start(session) {
  const { app, contentTracing } = require('electron');
  await app.whenReady();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 1000 });
  await session.post('Profiler.start');
  await contentTracing.startRecording({
    included_categories: ['toplevel'],
    excluded_categories: ['*'],
    included_process_ids: [process.pid],
    recording_mode: 'record-until-full',
    trace_buffer_size_in_kb: 400_000,
  });
  return {};
}

async function stop(session) {
  const trace = await require('electron').contentTracing.stopRecording();
  const { profile } = await session.post('Profiler.stop');
  return { trace, profile };
}
