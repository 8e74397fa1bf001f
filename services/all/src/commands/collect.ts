import type { CollectOptions } from '../maintenance/collect.js'
import { defineCommand, refuseWords } from './command.js'

export const collect = defineCommand({
  name: 'collect',
  usage: '  collect                         deletes the objects that are no longer referenced',
  optionUsage: `  --json          doctor, fsck, collect: prints the report as JSON
  --release       collect, after a restore: the original installation no longer exists`,
  options: { json: { type: 'boolean' }, release: { type: 'boolean' } },
  requiresSettings: true,
  parse({ words, json = false, release = false }): CollectOptions {
    refuseWords(words)
    return { json, release }
  },
  run: async (options, host, signal) =>
    (await import('../maintenance/collect.js')).runCollect(options, host, signal),
})
