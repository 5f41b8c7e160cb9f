// local/run.mjs loads this file into its child process. If run.mjs is killed, the child gets no signal, but the channel
// between them closes and the child ends. Otherwise a killed `npm start` would leave a server on its port.
if (process.channel !== undefined) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}
