import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { withoutLocal } from './local.js'

/** Of no account of the machine. */
const uid = 1_899_999_999
const files = ['local-escapes', 'local-unconfined'].map((name) =>
  fileURLToPath(new URL(`./${name}.test.js`, import.meta.url)),
)

/** Why an ordinary user cannot run these tests. */
function whyNot(): string | false {
  if (withoutLocal) return withoutLocal
  try {
    execFileSync(process.execPath, ['--check', files[0] ?? ''], { uid, gid: uid, stdio: 'ignore' })
    return false
  } catch {
    return 'only root can read the clone'
  }
}

// Otherwise the tests of this directory run as an ordinary user anyway.
if (process.geteuid?.() === 0) {
  test('an ordinary user can confine notebooks, too', { skip: whyNot() }, () => {
    // Every account can enter it.
    const directory = mkdtempSync('/tmp/figbase-user-')
    chownSync(directory, uid, uid)
    try {
      const { NODE_TEST_CONTEXT: _, ...env } = process.env
      const { status, stdout } = spawnSync(process.execPath, ['--test', ...files], {
        uid,
        gid: uid,
        cwd: directory,
        env: { ...env, TMPDIR: directory, HOME: directory },
        encoding: 'utf8',
      })
      assert.equal(status, 0, stdout)
      assert.match(stdout, /# pass [1-9]\d*\n# fail 0/)
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
}
