import { text } from 'node:stream/consumers'
import type { SupervisorSpec } from './spec.js'
import { supervise } from './supervise.js'

/**
 * The program of a process that outlives the driver that started it: it runs one notebook server, holds it to its
 * limits, and records how it ended. If this process ends, so does all that is confined.
 */
const stop = new AbortController()
process.on('SIGTERM', () => stop.abort())
// Ctrl-C in the terminal of Figbase.
process.on('SIGINT', () => {})

const given = await text(process.stdin)
// The driver ended before it recorded this process.
if (given) await supervise(JSON.parse(given) as SupervisorSpec, stop.signal)
process.exit()
