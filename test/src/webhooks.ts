import type { Client } from './client.js'

export interface Webhook {
  api_id: string
  url: string
  events: string[]
  active: boolean
  secret: string
}

/** The body of a request for a new webhook; its address is refused when something is sent. */
export const webhookToSend = () => ({ url: 'http://localhost:9/hook', events: ['story.restored'] })

export async function newWebhook(
  me: Client,
  { workspace }: { workspace: string },
  more: object = {},
): Promise<Webhook> {
  const body = { ...webhookToSend(), ...more }
  return (await me.post<Webhook>(`workspace/${workspace}/webhook/`, body, 201)).body
}
