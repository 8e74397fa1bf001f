import type { RotateKeysOptions } from '../rotate-keys/rotate-keys.js'
import { defineCommand, refuseWords } from './command.js'

export const rotateKeys = defineCommand({
  name: 'rotate-keys',
  summary: 'creates a new secret and re-encrypts stored data with it',
  options: {
    'drop-previous': {
      type: 'boolean',
      description: 'drops the previous secret at once, which signs out all users',
    },
  },
  example: 'rotate-keys --drop-previous',
  requiresSettings: true,
  parse({ words, 'drop-previous': dropPrevious = false }): RotateKeysOptions {
    refuseWords(words)
    return { dropPrevious }
  },
  run: async (options, host, signal) =>
    (await import('../rotate-keys/rotate-keys.js')).runRotateKeys(options, host, signal),
})
