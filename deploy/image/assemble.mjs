// Puts together the root file system of the image from what `build.mjs` built: node deploy/image/assemble.mjs <folder>
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isIncluded, isWanted } from './contents.mjs'
import { librariesOf } from './libraries.mjs'
import { packagesFor } from './packages.mjs'
import { filesOf, install, packagesOf, programsIn } from './programs.mjs'
import { billOfMaterials } from './sbom.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
/** The program for which sharp draws the text of SVG pictures needs fonts; sharp has none. */
const fonts = 'dejavu-fonts-ttf'
const fontFiles = /^DejaVuSans(|-Bold|-Oblique|Mono)\.ttf$/
/** Programs, the command, whose first line names Node.js, and the loader of programs. */
const executable =
  /^usr\/local\/bin\/|^usr\/lib\/git-core\/|^bin\/sh$|^app\/figbase-server\.mjs$|(^|\/)ld-linux[^/]*$/
const uid = 10001
// The image does not depend on when it is made.
const { SOURCE_DATE_EPOCH = '0', PROGRAMS = '' } = process.env
const madeAt = Number(SOURCE_DATE_EPOCH)

const [target] = process.argv.slice(2)
if (!target) throw new Error('usage: node deploy/image/assemble.mjs <folder>')
if (existsSync(target) && readdirSync(target).length > 0) throw new Error(`${target} is not empty`)
const app = join(target, 'app')

const packages = packagesFor(root, ['services/all'], isWanted)
for (const one of packages) copyPackage(one)
linkPackages(packages)
for (const name of ['figbase-server.mjs', 'healthcheck.mjs']) {
  copyTo(join(root, 'deploy/image/app', name), join(app, name))
}
// The former name of the entry point.
symlinkSync('figbase-server.mjs', join(app, 'figbase.mjs'))
for (const name of ['LICENSE', 'NOTICE', 'package.json']) copyTo(join(root, name), join(app, name))
copyFonts()
copySystem()
const debianPackages = copyPrograms()
const bom = billOfMaterials({
  root,
  packages: [...packages, fontsPackage()],
  node: nodeVersion(),
  debianPackages,
})
write(join(app, 'sbom.cdx.json'), `${JSON.stringify(bom, undefined, 1)}\n`)
finish()

function copyPackage(one) {
  const from = join(root, one.folder)
  for (const path of filesBelow(from)) {
    if (isIncluded(one, path)) copyTo(join(from, path), join(app, one.folder, path))
  }
}

/**
 * The links by which packages find one another; also those for packages that do not name all that they need, unless there
 * are several versions, of which pnpm picks one by the order in which it installed them.
 */
function linkPackages(all) {
  const links = new Map(all.flatMap((one) => one.links.map(({ path, target }) => [path, target])))
  for (const { name, folder, isOurs } of all) {
    const versions = all.filter((one) => one.name === name).length
    const path = join('node_modules/.pnpm/node_modules', name)
    if (!isOurs && versions === 1) links.set(path, relative(join(path, '..'), folder))
  }
  for (const [path, to] of links) {
    mkdirSync(join(app, dirname(path)), { recursive: true })
    symlinkSync(to, join(app, path))
  }
}

function fontsFolder() {
  return join(root, 'services/all/node_modules', fonts)
}

function fontsPackage() {
  const manifest = JSON.parse(readFileSync(join(fontsFolder(), 'package.json'), 'utf8'))
  return { name: fonts, version: manifest.version, manifest, folder: fonts, needs: [] }
}

function copyFonts() {
  const to = join(target, 'usr/share/fonts/truetype/dejavu')
  for (const name of readdirSync(join(fontsFolder(), 'ttf'))) {
    if (fontFiles.test(name)) copyTo(join(fontsFolder(), 'ttf', name), join(to, name))
  }
  copyTo(join(fontsFolder(), 'LICENSE'), join(to, 'LICENSE'))
  write(
    join(target, 'etc/fonts/fonts.conf'),
    '<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig>' +
      '<dir>/usr/share/fonts</dir><cachedir>/tmp/fontconfig</cachedir></fontconfig>\n',
  )
}

/** Node.js with the libraries that it and the packages need, and the account that runs it. */
function copySystem() {
  const node = join(target, 'usr/local/bin/node')
  copyTo(process.execPath, node)
  chmodSync(node, 0o755)
  symlinkSync('../../../app/figbase-server.mjs', join(target, 'usr/local/bin/figbase-server'))
  const addons = packages
    .filter(({ isOurs }) => !isOurs)
    .flatMap(({ folder }) => filesBelow(join(app, folder)).map((path) => join(app, folder, path)))
    .filter((file) => file.endsWith('.node'))
  for (const library of librariesOf([node, ...addons])) {
    if (!library.includes('/node_modules/')) copyTo(library, join(target, library))
  }
  // The loader looks for a library in few folders without a cache; those of Debian are among them.
  write(join(target, 'etc/passwd'), `figbase:x:${uid}:${uid}:Figbase:/data:/nonexistent\n`)
  write(join(target, 'etc/group'), `figbase:x:${uid}:\n`)
  write(join(target, 'etc/nsswitch.conf'), 'hosts: files dns\n')
  // Container runtimes mount theirs over it.
  write(join(target, 'etc/hosts'), '127.0.0.1 localhost\n')
  mkdirSync(join(target, 'data'), { mode: 0o700 })
  // Where the container runtime mounts, and what the deployment mounts.
  for (const name of ['proc', 'dev', 'sys', 'tmp']) mkdirSync(join(target, name))
  chmodSync(join(target, 'tmp'), 0o1777)
}

/** The programs of PROGRAMS, with what they need; returns their packages. */
function copyPrograms() {
  const wanted = programsIn(PROGRAMS)
  if (wanted.length === 0) return []
  install(wanted)
  const files = filesOf(wanted)
  for (const [path, from] of files) copyTo(from, join(target, path))
  const owners = packagesOf(files.values())
  for (const { copyright } of owners) copyTo(copyright, join(target, copyright))
  return owners
}

function nodeVersion() {
  return process.versions.node
}

/** Sets the times and modes, and prints how large the folder is and a digest of it. */
function finish() {
  const hash = createHash('sha256')
  let bytes = 0
  for (const path of pathsBelow(target)) {
    const full = join(target, path)
    const stat = lstatSync(full)
    if (stat.isSymbolicLink()) hash.update(`${path}\0${readlinkSync(full)}\0`)
    else if (stat.isFile()) {
      const mode = executable.test(path) ? 0o755 : 0o644
      chmodSync(full, mode)
      hash.update(`${path}\0${mode}\0`).update(readFileSync(full))
      bytes += stat.size
    }
    lutimesSync(full, madeAt, madeAt)
  }
  console.log(
    `${packages.length} packages, ${Math.round(bytes / 1e6)} MB, sha256:${hash.digest('hex')}`,
  )
}

/** All files, folders and links; those in a folder come after it. */
function pathsBelow(folder, except) {
  const paths = []
  const waiting = ['']
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const entry of readdirSync(join(folder, at), { withFileTypes: true })) {
      if (entry.name === except) continue
      const path = join(at, entry.name)
      paths.push(path)
      if (entry.isDirectory()) waiting.push(path)
    }
  }
  return paths.sort()
}

/** The files of a package, without the packages in it. */
function filesBelow(folder) {
  if (!existsSync(folder)) return []
  return pathsBelow(folder, 'node_modules').filter((path) => lstatSync(join(folder, path)).isFile())
}

function copyTo(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
