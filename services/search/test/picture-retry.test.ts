import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ChildTimedOut } from '@figbase/kit/processes'
import { actAsSystem } from '@figbase/kit/rpc'
import { NodeType } from '@figbase/proto/catalog'
import { RevisionState } from '@figbase/proto/search'
import { sql } from 'kysely'
import { OcrError } from '../src/ocr/ocr-error.js'
import { figures } from './drawings.js'
import { type Started, start } from './test-service.js'
import type { Thing } from './world.js'

// A recognition that answers what is put into this list, one after the other.
const answers: (() => string)[] = []
const timedOut = () => {
  throw new OcrError('text recognition timed out', { cause: new ChildTimedOut() })
}
const broken = () => {
  throw new OcrError('text recognition failed')
}

let started: Started
let workspace: Thing
before(async () => {
  started = await start({
    env: { SEARCH_PICTURE_RETRY_DELAY: '1s' },
    prepare: (ctx) => ({
      ...ctx,
      similar: ctx.similar.then((similar) => ({
        ...similar,
        ocr: {
          read: async () => answers.shift()?.() ?? '',
          [Symbol.asyncDispose]: async () => {},
        },
      })),
    }),
  })
  workspace = started.world.add(NodeType.WORKSPACE)
  started.world.share('ann', workspace)
})
after(() => started[Symbol.asyncDispose]())

/** A revision with a picture, whose recognition answers so; resolves when no job is left. */
async function addPicture(...texts: (() => string)[]) {
  const { world, index, ctx, settled } = started
  answers.splice(0, answers.length, ...texts)
  const figure = world.add(NodeType.FIGURE, world.add(NodeType.ANALYSIS, workspace))
  const picture = await figures.bars()
  const revision = world.add(NodeType.FIGURE_REVISION, figure, { picture })
  await index(figure, revision)
  const problems: string[] = []
  for (;;) {
    const { rows } = await sql<{ problem: string | null; state: string | null }>`
      select l.problem, (select max(j.state) from job j where j.key = l.revision_id::text) as state
        from likeness l where l.revision_id = ${revision.id}`.execute(ctx.db)
    const [row] = rows
    if (row?.problem && problems.at(-1) !== row.problem) problems.push(row.problem)
    if (row?.state === null) break
    await sleep(20)
  }
  await settled()
  return { id: revision.id, problems, version: revision.version }
}

async function stateOf({ id, version }: { id: string; version: number }) {
  const request = { id, version, texts: 0 }
  return RevisionState[(await started.client.getRevisionState(request, actAsSystem())).state]
}

test('a picture whose text recognition timed out is read once more, later', async () => {
  const revision = await addPicture(timedOut, () => 'Chlorophyll')
  assert.deepEqual(revision.problems, ['text recognition timed out'])
  assert.deepEqual(await started.find('ann', 'chlorophyll'), [revision.id])
  assert.equal(await stateOf(revision), 'INDEXED')
})

test('a second timeout is recorded, and not tried again', async () => {
  const revision = await addPicture(timedOut, timedOut, () => 'Xylem')
  assert.deepEqual(revision.problems, ['text recognition timed out'])
  assert.equal(answers.length, 1)
  assert.equal(await stateOf(revision), 'FAILED')
})

test('another failure is final at once', async () => {
  const revision = await addPicture(broken, () => 'Phloem')
  assert.equal(answers.length, 1)
  assert.equal(await stateOf(revision), 'FAILED')
})
