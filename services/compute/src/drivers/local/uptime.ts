import { uptime } from 'node:os'

/** The time since the boot of the machine: a clock that nobody sets. */
export const uptimeMs = (): number => Math.round(uptime() * 1000)
