#!/usr/bin/env node
// `npm run snapshot`, at each release: writes the snapshot in test/snapshot/ with which the migrations of the next
// version are tested. It runs tests of the services and of the product, to record their SQL and to create rows.
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { PrepareError, prepare, root } from '../services/all/prepare.mjs'
import { createProgress } from '../services/all/progress.mjs'
import { runFiles, tally } from './run/files.mjs'
import { findTests } from './run/find.mjs'
import { withOpenIdProvider } from './run/openid-provider.mjs'
import { withProduct } from './run/product.mjs'
import { publishKnown } from './snapshot/known.mjs'
import { distinct, readStatements, recording, runRecorded } from './snapshot/statements.mjs'

// End-to-end tests that together create rows in all tables, but not too many.
const seeds = [
  ...[
    'accounts',
    'api-keys',
    'asset-revisions',
    'assets',
    'auto-assign',
    'comments',
    'custom-storage',
  ],
  ...[
    'derive',
    'invitations',
    'publish-and-delete',
    'account-deletion',
    'links',
    'members',
    'mentions',
    'metadata-proxy',
  ],
  ...['organizations', 'plans', 'settings', 'sharing', 'short-ids', 'sign-in', 'ssh-keys', 'tasks'],
  ...['thumbnails', 'tree', 'updates', 'uploads', 'uploads-with-tus-client', 'users'],
]
const isSeed = (file) => seeds.some((name) => file.endsWith(`/${name}.test.js`))
const progress = createProgress()
const scratch = mkdtempSync(join(tmpdir(), 'figbase-snapshot-'))
const recorded = join(scratch, 'statements')

try {
  await prepare(progress)
  writeFileSync(recorded, '')
  await runRecorded(recorded, ['unit', 'services/'])
  await withOpenIdProvider((openId) => runSeeds({ ...openId, ...recording(recorded) }))
} catch (error) {
  tally.failed++
  console.error(error instanceof PrepareError ? error.message : error)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
process.exitCode = tally.failed > 0 ? 1 : 0

async function runSeeds(settings) {
  const dataDir = join(scratch, 'product')
  const secretKey = randomBytes(32).toString('base64')
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'secret-key'), `${secretKey}\n`)
  const name = 'of the snapshot'
  await withProduct({ name, topology: 'all-in-one', dataDir, settings }, progress, async () => {
    await runFiles(findTests([]).e2e.filter(isSeed))
    const known = { secretKey, ...(await publishKnown(process.env.FIGBASE_URL)) }
    await save(dataDir, known, distinct(readStatements(recorded)))
  })
}

async function save(dataDir, known, statements) {
  const { takeSnapshot } = await import('../services/all/dist/test/migrations/take.js')
  const { snapshotFile } = await import('../services/all/dist/test/migrations/snapshot.js')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { snapshot, refused } = await takeSnapshot({ version, dataDir, known, heard: statements })
  for (const { schema, sql, why } of refused) {
    console.log(`- omitted, PostgreSQL cannot plan it: ${schema}: ${sql} (${why})`)
  }
  const file = gzipSync(JSON.stringify(snapshot), { level: 9 })
  writeFileSync(snapshotFile, file)
  const count = snapshot.schemas.reduce((sum, { statements }) => sum + statements.length, 0)
  console.log(`${snapshotFile}: ${count} statements, ${file.length} bytes`)
}
