import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLogger } from '../log.js'
import { mailerContract, message } from './contract.js'
import { createEmlFiles } from './eml-files.js'

const log = createLogger('test', 'silent')
const from = { address: 'figbase@localhost', name: 'Figbase' }

async function openFolder() {
  const parent = await mkdtemp(join(tmpdir(), 'figbase-mail-'))
  const dir = join(parent, 'kept', 'mail')
  return { dir, [Symbol.asyncDispose]: () => rm(parent, { recursive: true }) }
}

mailerContract('files', async (sender) => {
  const folder = await openFolder()
  return {
    ...folder,
    mailer: createEmlFiles({ dir: folder.dir, from: sender, log }),
    async arrived() {
      const names = await readdir(folder.dir).catch(() => [])
      return Promise.all(names.sort().map((name) => readFile(join(folder.dir, name), 'utf8')))
    },
  }
})

test('files: are readable by their owner only, and named by time and Message-ID', async () => {
  await using folder = await openFolder()
  const mailer = createEmlFiles({ dir: folder.dir, from, log })
  await mailer.send({ ...message, messageId: '<first@example.org>' })
  await mailer.send({ ...message, messageId: '<second@example.org>' })
  const names = (await readdir(folder.dir)).sort()
  assert.equal(names.length, 2)
  assert.match(names[0] ?? '', /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-first@example\.org\.eml$/)
  assert.equal((await stat(folder.dir)).mode & 0o777, 0o700)
  assert.equal((await stat(join(folder.dir, names[0] ?? ''))).mode & 0o777, 0o600)
})

test('files: leave nothing after a failed write', async () => {
  await using folder = await openFolder()
  const mailer = createEmlFiles({ dir: join(folder.dir, 'x'.repeat(300)), from, log })
  await assert.rejects(mailer.send(message), /ENAMETOOLONG/)
})

test('files: name the missing settings without a directory', async () => {
  const mailer = createEmlFiles({ dir: '', from, log })
  await assert.rejects(mailer.send(message), /SMTP_URL.*MAIL_DIR/)
})
