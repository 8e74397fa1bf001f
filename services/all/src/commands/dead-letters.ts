import { isUuid } from '@figbase/kit/ids'
import type { DeadLettersAction } from '../dead-letters.js'
import { defineCommand } from './command.js'

export const deadLetters = defineCommand({
  name: 'dead-letters',
  usage: `  dead-letters list               lists events whose handling failed, with the error
  dead-letters show <id>          prints one of them in full
  dead-letters replay <id>|--all  retries one or all of them`,
  options: { all: { type: 'boolean' } },
  parse({ words, all = false }): DeadLettersAction {
    const [action, eventId, ...rest] = words
    if (rest.length > 0) throw new Error(`Unknown word '${rest[0]}'`)
    if (eventId !== undefined && !isUuid(eventId)) throw new Error(`'${eventId}' is not an id`)
    if (action === 'list' && !eventId && !all) return { action }
    if (action === 'show' && eventId && !all) return { action, eventId }
    if (action === 'replay' && eventId && !all) return { action, eventId }
    if (action === 'replay' && !eventId && all) return { action }
    throw new Error('dead-letters takes list, show <id>, replay <id> or replay --all')
  },
  run: async (action, host) => (await import('../dead-letters.js')).runDeadLetters(action, host),
})
