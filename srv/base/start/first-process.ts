// Imported by what may be the first process of a container. The kernel keeps signals from such a process until it listens for
// them, and CAP does so only once it serves: until then a stop would wait for its end by force.
if (process.pid === 1) {
  const signals = { SIGINT: 2, SIGTERM: 15 } as const
  for (const [name, number] of Object.entries(signals)) {
    process.on(name, () => {
      const isServing = process.listenerCount(name) > 1
      if (!isServing) process.exit(128 + number)
    })
  }
}
