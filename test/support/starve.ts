// To be imported into an instance: at SIGUSR2 its own thread does nothing else for longer than a lease, as a long calculation would.
const STARVED_MS = 13_000

process.on('SIGUSR2', () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STARVED_MS)
})
