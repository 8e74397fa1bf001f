import type { CollectOptions } from '../maintenance/collect.js'
import { defineCommand, refuseWords } from './command.js'

export const collect = defineCommand({
  name: 'collect',
  summary: 'deletes the objects that are no longer referenced',
  options: {
    json: { type: 'boolean', description: 'prints the report as JSON' },
    release: {
      type: 'boolean',
      description: 'after a restore: the original installation no longer exists',
    },
  },
  example: 'collect --json',
  requiresSettings: true,
  parse({ words, json = false, release = false }): CollectOptions {
    refuseWords(words)
    return { json, release }
  },
  run: async (options, host, signal) =>
    (await import('../maintenance/collect.js')).runCollect(options, host, signal),
})
