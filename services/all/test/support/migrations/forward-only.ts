import type { Schema } from './schemas.js'
import type { SnapshotSchema } from './snapshot.js'

/** Changes to applied migrations, and new migrations that precede applied ones. */
export function changesOf(before: SnapshotSchema[], now: Schema[]): string[] {
  return before.flatMap(({ name: schema, migrations }) => {
    const lists = now.find(({ name }) => name === schema)?.lists ?? []
    const present = new Map(lists.flat().map((migration) => [migration.name, migration]))
    const applied = new Set(migrations.map(({ name }) => name))
    const changed = migrations.flatMap(({ name, sql, inTransaction }) => {
      const found = present.get(name)
      if (!found) return [`${schema}: ${name} was removed`]
      const isSame = found.sql === sql && found.inTransaction === inTransaction
      return isSame ? [] : [`${schema}: ${name} was edited`]
    })
    const early = lists.flatMap((list) => {
      const names = list.map(({ name }) => name)
      const last = names.findLastIndex((name) => applied.has(name))
      return names.slice(0, last + 1).filter((name) => !applied.has(name))
    })
    const order = migrations.map(({ name }) => name).filter((name) => present.has(name))
    const orderNow = [...present.keys()].filter((name) => applied.has(name))
    const isReordered = order.some((name, index) => orderNow[index] !== name)
    return [
      ...changed,
      ...early.map((name) => `${schema}: ${name} precedes an applied migration`),
      ...(isReordered ? [`${schema}: the order was changed`] : []),
    ]
  })
}
