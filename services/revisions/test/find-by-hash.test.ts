import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import { NodeType } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import { blank } from './catalog.js'
import { failsWith } from './failure.js'
import { ada, type Bench, startBench, transports } from './service.js'

const digest = 'ab'.repeat(32)

for (const transport of transports) {
  describe(`finding by hash (${transport})`, () => {
    let bench: Bench
    before(async () => {
      bench = await startBench(transport)
    })
    after(() => bench[Symbol.asyncDispose]())

    /** Asset revisions with this hash, inserted as rows. */
    async function stored(owners: string[], hash = digest, isProcessing = false) {
      const ids = owners.map(() => newId())
      for (const [index, owner] of owners.entries()) {
        const id = ids[index] ?? ''
        const type = NodeType.ASSET_REVISION
        bench.catalog.nodes.set(id, { ...blank, id, owner, type, parentId: id, state: 'active' })
      }
      await bench.query(
        `insert into revision (id, type, parent_id, revision_index, metadata, is_clean_room,
                               is_processing, data_hash, created_by, created_on)
         select id, 'asset_revision', id, 0, '{}', false, $3, $2, 'ada', now()
           from unnest($1::uuid[]) with ordinality as t (id, n) order by n`,
        [ids, hash, isProcessing],
      )
      return ids
    }

    async function found(request: object = {}) {
      const revisions: Revision[] = []
      const asked = { hashType: 'blake3', digest, ...request }
      for await (const { revision } of bench.client.findByHash(asked, ada)) {
        if (revision) revisions.push(revision)
      }
      return revisions
    }

    test('returns all revisions that the caller can view, oldest first', async () => {
      assert.deepEqual(await found(), [])
      const owners = Array.from({ length: 2500 }, (_, n) => (n % 100 === 99 ? 'ada' : 'bob'))
      const ids = await stored(owners)
      const mine = ids.filter((_, n) => owners[n] === 'ada')
      const revisions = await found()
      assert.deepEqual(
        revisions.map(({ id }) => id),
        mine,
      )
      assert.ok(revisions.every(({ parentId, dataHash }) => parentId && dataHash === digest))
      assert.equal((await found({ digest: digest.toUpperCase() })).length, mine.length)
      await stored(['ada'], 'cd'.repeat(32))
      await stored(['ada'], digest, true)
      assert.equal((await found()).length, mine.length, 'other bytes, or not processed yet')
      bench.catalog.nodes.delete(mine[0] ?? '')
      assert.equal((await found()).length, mine.length - 1, 'deleted')
    })

    test('rejects an invalid hash', async () => {
      const refused = (request: object, field: string) => failsWith(found(request), { field })
      await refused({ hashType: 'sha256' }, 'hash_type')
      await refused({ hashType: '' }, 'hash_type')
      await refused({ digest: '' }, 'digest')
      await refused({ digest: 'ab'.repeat(31) }, 'digest')
      await refused({ digest: 'xy'.repeat(32) }, 'digest')
      await refused({ digest: `${digest}\n` }, 'digest')
    })
  })
}
