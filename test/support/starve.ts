// To be imported into an instance: at SIGUSR2 its own thread does nothing else for a while, as a long calculation would.
const STARVED_MS = 15_000

process.on('SIGUSR2', () => {
  const end = Date.now() + STARVED_MS
  while (Date.now() < end);
})
