import type { Client } from './client.js'

/** A metadata proxy, as returned to its creator. */
export interface MetadataProxy {
  api_id: string
  initiator: string
  token: string
  created: string
  expiry: string
  updated: string | null
  metadata: unknown
}

/** Creates a metadata proxy and returns its path. */
export async function newMetadataProxy(me: Client): Promise<string> {
  return pathOf((await me.post<MetadataProxy>('metadata/', {})).body)
}

export const pathOf = ({ token }: MetadataProxy): string => `metadata/${token}/`
