import { LRUCache } from 'lru-cache'
import { currentScope } from '../scope/scope.js'
import type { Span } from '../scope/span.js'

const summariesMax = 2000
const tablesMax = 3
const changes = /\binsert into (\w+)|(?<!for |do )\bupdate (\w+)|\bdelete from (\w+)/g
const reads = /\b(?:from|join) (\w+)/g

const summaries = new LRUCache<string, string>({ max: summariesMax })

/** Begins the span of a statement; undefined if the current operation is not traced. */
export function beginStatement(text: string): Span | undefined {
  const { span } = currentScope() ?? {}
  if (!span?.isRecorded) return undefined
  const summary = summaryOf(text)
  return span.child(summary, 'client', {
    'db.system.name': 'postgresql',
    'db.query.summary': summary,
  })
}

/**
 * Names a statement by operations and tables, as `insert node, update figure`. The name never contains values.
 */
export function summaryOf(text: string): string {
  const cached = summaries.get(text)
  if (cached !== undefined) return cached
  const plain = text
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/[\s"]+/g, ' ')
    .toLowerCase()
    .trim()
  const summary = parts(plain, changes).join(', ') || read(plain) || firstWord(plain)
  summaries.set(text, summary)
  return summary
}

function parts(text: string, pattern: RegExp): string[] {
  const found = [...text.matchAll(pattern)].map(([all]) => all.replace(/ (into|from) /, ' '))
  return [...new Set(found)].slice(0, tablesMax)
}

function read(text: string) {
  const tables = parts(text, reads).map((part) => part.slice(part.lastIndexOf(' ') + 1))
  return tables.length > 0 && `select ${[...new Set(tables)].join(', ')}`
}

const firstWord = (text: string) => /^\w+/.exec(text)?.[0] ?? 'statement'
