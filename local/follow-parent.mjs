// Loaded into the process that local/run.mjs starts: if that one is killed outright, no signal arrives here, but the
// channel between the two closes. Without this, a killed `npm start` would leave a server on its port.
if (process.channel !== undefined) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}
