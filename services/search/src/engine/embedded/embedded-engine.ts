import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.js'
import type { SearchEngine } from '../port.js'
import { findDocuments } from './find-documents.js'
import { createPartitions, dropPartitions, publishPartitions } from './generations.js'
import { type FindLimits, findLimits } from './limits.js'
import { removeEntries } from './write.js'
import { writeDocuments } from './write-documents.js'

/** Changes with the words of an index. */
const version = '4'

/** Finds words in the tables of this service, whose table `place` must be up to date. */
export function createEmbeddedEngine(
  db: Kysely<Database>,
  limits: FindLimits = findLimits,
): SearchEngine {
  return {
    name: 'embedded',
    version: async () => version,
    find: (query, filter, page) => findDocuments(db, query, filter, page, limits),
    create: (generation) => createPartitions(db, generation),
    write: (generation, documents) => writeDocuments(db, generation, documents),
    // The caller has written the table `place`.
    place: async () => {},
    remove: (generation, ids) => removeEntries(db, generation, ids),
    publish: (generation) => publishPartitions(db, generation),
    drop: (generation) => dropPartitions(db, generation),
    [Symbol.asyncDispose]: async () => {},
  }
}
