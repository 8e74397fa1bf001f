import type { Client } from './client.js'

/** A metadata proxy, as its initiator sees it. */
export interface Mailbox {
  api_id: string
  initiator: string
  token: string
  created: string
  expiry: string
  updated: string | null
  metadata: unknown
}

/** The path of a new one. */
export async function newMailbox(me: Client): Promise<string> {
  return pathOf((await me.post<Mailbox>('metadata/', {})).body)
}

export const pathOf = ({ token }: Mailbox): string => `metadata/${token}/`
