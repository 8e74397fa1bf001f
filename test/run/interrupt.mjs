const ends = []

function interrupted(signal) {
  for (const end of ends.splice(0).reverse()) end()
  process.exit(signal === 'SIGINT' ? 130 : 143)
}

/** Registers a cleanup for interrupts, called in reverse order; returns a function that unregisters it. */
export function endOnInterrupt(end) {
  if (ends.length === 0) process.on('SIGINT', interrupted).on('SIGTERM', interrupted)
  ends.push(end)
  return () => {
    const index = ends.indexOf(end)
    if (index >= 0) ends.splice(index, 1)
    if (ends.length === 0) process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
  }
}
