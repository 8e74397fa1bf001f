import assert from 'node:assert/strict'
import { symlink, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Code, type ConnectError } from '@connectrpc/connect'
import { newId } from '@figbase/kit/ids'
import { findProgram } from '@figbase/kit/processes'
import { GitImportState, GitImportTrigger } from '@figbase/proto/git'
import { picture, startImporting, succeeded } from './git/imports.js'
import { ada, until } from './service.js'

test('without Git, nothing is registered or imported, and the error says so until it is installed', async () => {
  const path = join(tmpdir(), `figbase-test-${newId()}`)
  await using at = await startImporting({ env: { GIT_PATH: path } })
  at.commit({ 'a.png': picture('a') })
  const isMissing = ({ code, rawMessage }: ConnectError) => {
    assert.equal(Code[code], 'Unavailable')
    assert.equal(rawMessage, 'Git is not installed on this server')
    return true
  }
  await assert.rejects(at.register(), isMissing)
  // It was registered when Git was installed.
  const id = newId()
  await at.bench.query(
    `insert into git_repository (id, target_id, target_type, workspace_id, url, branch, include, exclude, schedule,
       next_import_on, push_secret_sealed, created_by)
     values ($1, $2, 'analysis', $1, $3, 'main', '{}', '{}', '17 3 * * *', now(), '', 'ada')`,
    [id, at.analysis, at.url],
  )
  await assert.rejects(at.client.importGitRepository({ id }, ada), isMissing)
  await at.bench.query(`select enqueue_job('schedule-git-imports', null, '{}', null, 0, null, 1)`)
  const one = await until(async () => {
    const { imports } = await at.client.listGitImports({ repositoryId: id }, ada)
    return imports[0]
  })
  const { state, trigger, error } = await at.ended(id, one.id)
  assert.deepEqual([state, trigger], [GitImportState.FAILED, GitImportTrigger.SCHEDULE])
  assert.equal(error, 'Git is not installed on this server')

  await symlink(findProgram('git') ?? '', path)
  try {
    assert.deepEqual(succeeded(await at.import(id)), { figures: 1, figuresCreated: 1 })
  } finally {
    await unlink(path)
  }
})
