import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The bill of materials of the image as CycloneDX 1.6, with the digests of the lockfile. */
export function billOfMaterials({ root, packages, node, debianPackages }) {
  const integrity = integrities(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8'))
  const own = packages.find(({ name }) => name === '@figbase/all')
  const refs = new Map(packages.map((one) => [one.folder, refOf(one)]))
  const product = {
    type: 'application',
    'bom-ref': 'figbase',
    name: 'figbase',
    version: own.version,
    licenses: [{ license: { id: 'Apache-2.0' } }],
  }
  const runtime = {
    type: 'platform',
    'bom-ref': `node@${node}`,
    name: 'node',
    version: node,
    purl: `pkg:generic/node@${node}`,
    licenses: [{ license: { id: 'MIT' } }],
  }
  const ofDebian = debianPackages.map(debianComponent)
  const unique = [...new Map(packages.map((one) => [refOf(one), one])).values()]
  const needsOf = new Map(unique.map((one) => [refOf(one), new Set()]))
  for (const one of packages) {
    for (const folder of one.needs) needsOf.get(refOf(one)).add(refs.get(folder))
  }
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialNumber(
      [...needsOf.keys(), node, ...ofDebian.map(({ purl }) => purl)].join('\n'),
    ),
    version: 1,
    metadata: { component: product },
    components: [runtime, ...unique.map((one) => component(one, integrity)), ...ofDebian],
    dependencies: [
      { ref: product['bom-ref'], dependsOn: [refOf(own), runtime['bom-ref']] },
      ...[...needsOf].map(([ref, needs]) => ({ ref, dependsOn: [...needs].sort() })),
    ],
  }
}

/** The license of a package of Debian is in a file of many parts. */
function debianComponent({ name, version, copyright }) {
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}`
  const license = { name: `see ${copyright}` }
  return { type: 'library', 'bom-ref': purl, name, version, purl, licenses: [{ license }] }
}

const refOf = ({ name, version }) => `${name}@${version}`

function component(one, integrity) {
  const { name, version, manifest, isOurs } = one
  const [group, short] = name.startsWith('@') ? name.split('/') : [undefined, name]
  const digest = integrity.get(refOf(one))
  if (!isOurs && !digest) throw new Error(`${refOf(one)} is not in the lockfile`)
  const encoded = group ? `${encodeURIComponent(group)}/${short}` : short
  return {
    type: 'library',
    'bom-ref': refOf(one),
    ...(group && { group }),
    name: short,
    version,
    ...(manifest.license && { licenses: [licenseOf(manifest.license)] }),
    ...(!isOurs && { purl: `pkg:npm/${encoded}@${version}`, hashes: [hashOf(digest)] }),
  }
}

function licenseOf(text) {
  const expression = /^SEE LICENSE/i.test(text) ? undefined : text
  if (!expression) return { license: { name: text } }
  return / (AND|OR|WITH) /.test(expression) ? { expression } : { license: { id: expression } }
}

/** An integrity of npm (`sha512-` and base64) in hexadecimal. */
function hashOf(digest) {
  const content = Buffer.from(digest.slice('sha512-'.length), 'base64').toString('hex')
  return { alg: 'SHA-512', content }
}

function integrities(lockfile) {
  const packages = lockfile.slice(
    lockfile.indexOf('\npackages:\n'),
    lockfile.indexOf('\nsnapshots:\n'),
  )
  const entry = /^ {2}'?([^\s':][^\s']*)'?:\n {4}resolution: \{integrity: (sha512-[^},]+)/gm
  return new Map([...packages.matchAll(entry)].map(([, ref, digest]) => [ref, digest]))
}

/** The same content has the same number, which has the form of a random UUID. */
function serialNumber(text) {
  const hex = createHash('sha256').update(text).digest('hex')
  const variant = ((Number.parseInt(hex[16], 16) & 3) | 8).toString(16)
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
