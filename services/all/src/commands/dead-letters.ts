import { isUuid } from '@figbase/kit/ids'
import type { DeadLettersAction } from '../dead-letters.js'
import { defineCommand } from './command.js'

export const deadLetters = defineCommand({
  name: 'dead-letters',
  summary: 'lists or retries events whose handling failed in every attempt',
  arguments: {
    list: 'lists them, with the errors',
    'show <id>': 'prints one of them in full',
    'replay <id>': 'retries one of them',
  },
  options: {
    all: { type: 'boolean', description: 'with `replay`, in place of the id: retries all of them' },
  },
  example: 'dead-letters replay --all',
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
