import type { Client } from './client.js'

export interface GitImport {
  api_id: string
  task: string
  status: 'waiting' | 'running' | 'succeeded' | 'failed' | 'cancelled'
  commit: string | null
  error: string | null
  figures: Counts
  assets: Counts
  refused: { path: string; problem: string }[]
}

interface Counts {
  total: number
  created: number
  changed: number
  renamed: number
}

export interface GitRepository {
  api_id: string
  url: string
  push_url: string
  last_import: GitImport | null
  host_key_fingerprints: string[]
}

/** The body of a request for a new repository; its address is refused when it is fetched. */
export const repositoryToSend = () => ({ url: 'https://localhost:9/plots.git' })

export async function newRepository(
  me: Client,
  { analysis }: { analysis: string },
  more: object = {},
): Promise<GitRepository & { secret: string }> {
  const body = { ...repositoryToSend(), ...more }
  const path = `analysis/${analysis}/git_repository/`
  return (await me.post<GitRepository & { secret: string }>(path, body, 201)).body
}
