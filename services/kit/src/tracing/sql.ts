import { LRUCache } from 'lru-cache'
import { currentScope } from './scope.js'
import type { Span } from './span.js'

const summariesMax = 2000
const tablesMax = 3
const changes = /\binsert into (\w+)|(?<!for |do )\bupdate (\w+)|\bdelete from (\w+)/g
const reads = /\b(?:from|join) (\w+)/g

const summaries = new LRUCache<string, string>({ max: summariesMax })

/** A statement on the way to PostgreSQL, if it is part of something that is traced. */
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
 * What a statement does to which tables, as `insert node, update figure`: a name for it, in which no
 * value can be.
 */
export function summaryOf(text: string): string {
  const known = summaries.get(text)
  if (known !== undefined) return known
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
