// Loaded into a process by NODE_OPTIONS, before Figbase: each signal blocks its event loop as slow code would.
const blockedMs = 1300

process.on('SIGUSR2', () => {
  const end = performance.now() + blockedMs
  while (performance.now() < end);
})
