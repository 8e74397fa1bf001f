import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Route } from '../../endpoint.js'
import { HttpError } from '../../http/errors.js'
import { errorReply } from '../page.js'

const ours = fileURLToPath(new URL('../../../../assets/', import.meta.url))
const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/** The files of the reference, by name. */
const files: Record<string, { folder: string; type: string }> = {
  'swagger-ui.css': { folder: swagger, type: 'text/css' },
  'swagger-ui-bundle.js': { folder: swagger, type: 'text/javascript' },
  'reference.css': { folder: ours, type: 'text/css' },
  'reference.js': { folder: ours, type: 'text/javascript' },
}

export const assetPath = (name: keyof typeof files): string => `/docs/api/assets/${name}/`

export const referenceAssets: Route = {
  method: 'GET',
  path: '/docs/api/assets/:name/',
  since: 'v1',
  auth: 'none',
  errorReply,
  async handle({ params: { name = '' } }) {
    const file = Object.hasOwn(files, name) ? files[name] : undefined
    if (!file) throw new HttpError(404, 'not_found', 'file not found')
    const bytes = await readFile(join(file.folder, name))
    const headers = { 'cache-control': 'public, max-age=3600' }
    return { status: 200, headers, bytes, type: `${file.type}; charset=utf-8` }
  },
}
