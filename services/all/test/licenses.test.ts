import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { allowedLicenses, exceptions } from './licenses/allowed.js'
import { type Installed, installedFor } from './licenses/installed.js'
import { launcher } from './support/author.js'

const root = join(dirname(launcher), '..', '..')
const services = readdirSync(join(root, 'services')).map((name) => join('services', name))
const product = ['gateway', 'gateway/client', 'gateway/cli', 'proto', ...services]
  .map((folder) => join(root, folder))
  .filter((folder) => existsSync(join(folder, 'package.json')))

/** Of `A OR B` one is enough; of `A AND B` all are needed. */
function isAllowed(expression: string): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1')
  if (plain.includes(' OR ')) return plain.split(' OR ').some(isAllowed)
  return plain.split(' AND ').every((license) => allowedLicenses.includes(license))
}

const exceptionOf = ({ name, license }: Installed) =>
  exceptions.find((exception) => exception.name.test(name) && exception.license === license)

test('every runtime dependency has an allowed license', (t) => {
  const installed = installedFor(product)
  assert.ok(installed.length > 100, `only ${installed.length} packages found`)
  const counts = new Map<string, number>()
  for (const { license } of installed) counts.set(license, (counts.get(license) ?? 0) + 1)
  t.diagnostic([...counts].map(([license, count]) => `${license || 'none'}: ${count}`).join(', '))
  const refused = installed.filter((one) => !isAllowed(one.license) && !exceptionOf(one))
  assert.deepEqual(refused, [], 'see services/all/test/licenses/allowed.ts')
})

test('reads license expressions', () => {
  assert.ok(isAllowed('(Apache-2.0 AND BSD-3-Clause)'))
  assert.ok(isAllowed('(MIT OR EUPL-1.1+)'))
  assert.ok(!isAllowed('GPL-3.0 AND MIT'))
  assert.ok(!isAllowed(''))
})
