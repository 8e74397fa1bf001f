import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { clientTypes, clientTypesFile } from './client-types.js'

test('the types of the client are those of the OpenAPI document', async () => {
  const work = await mkdtemp(join(tmpdir(), 'figbase-types-'))
  try {
    const isCurrent = (await readFile(clientTypesFile, 'utf8')) === (await clientTypes(work))
    assert.ok(isCurrent, 'run npm run client-types')
  } finally {
    await rm(work, { recursive: true, force: true })
  }
})
