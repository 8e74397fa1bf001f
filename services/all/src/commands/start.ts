import type { Description } from './command.js'

/** The same as without a command. */
export const start: Description = {
  name: 'start',
  summary: 'starts Figbase, with its own PostgreSQL unless DATABASE_URL is set; the default',
  options: {
    distributed: {
      type: 'boolean',
      description: 'a process for each service, and one for the gateway',
    },
  },
  example: 'start --distributed',
}
