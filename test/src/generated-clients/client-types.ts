import { fileURLToPath } from 'node:url'
import { endpoints, newestVersion, openApi, readGatewayConfig } from '@figbase/gateway'
import { readSettings } from '@figbase/kit/config'
import { typesOf } from './types-of-document.js'

/** The types of the client package. */
export const clientTypesFile = fileURLToPath(
  new URL('../../../../gateway/client/src/api.ts', import.meta.url),
)

/** The types of the newest version, whose paths begin below it: the client knows the version. */
export function clientTypes(work: string): Promise<string> {
  const prefix = `/api/${newestVersion}`
  const cfg = readSettings({}, readGatewayConfig)
  const document = openApi(endpoints, newestVersion, cfg)
  const paths = Object.entries(document.paths as object).map(([path, operations]) => [
    path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path,
    operations,
  ])
  return typesOf({ ...document, paths: Object.fromEntries(paths) }, work)
}
