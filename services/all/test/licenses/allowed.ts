/** Licenses that any runtime dependency may have: they ask for no more than their notice. */
export const allowedLicenses = [
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  '0BSD',
  'Zlib',
]

type Exception = { name: RegExp; license: string; reason: string }

/** Other licenses, each for the packages that were looked at. */
export const exceptions: Exception[] = [
  {
    name: /^@img\/sharp-libvips-/,
    license: 'LGPL-3.0-or-later',
    reason: 'a shared library that sharp loads; it is neither changed nor linked into our code',
  },
  {
    name: /^@img\/sharp-(wasm32|win32-)/,
    license: 'Apache-2.0 AND LGPL-3.0-or-later',
    reason: 'as above; optional, and for other platforms',
  },
  {
    name: /^argparse$/,
    license: 'PSF-2.0',
    reason: 'the license of Python: permissive, with notice',
  },
  {
    name: /^argparse$/,
    license: 'Python-2.0',
    reason: 'as above, in its former version',
  },
  {
    name: /^(tweetnacl|stream-buffers)$/,
    license: 'Unlicense',
    reason: 'public domain',
  },
]
