import { readFile } from 'node:fs/promises'
import { type Client, client } from './client.js'
import { deployment, LATEST, type Version } from './deployment.js'
import type { Tokens } from './resources.js'

/** The reason to skip tests that need the administrator, or false. */
export const withoutStaff: string | false = deployment.adminPasswordFile
  ? false
  : 'needs the administrator of the deployment'

export const adminPassword = async (): Promise<string> =>
  (await readFile(deployment.adminPasswordFile ?? '', 'utf8')).trim()

/** Signs in as the administrator of the deployment. */
export async function signInStaff(version: Version = LATEST): Promise<Client> {
  const login = { username: 'admin', password: await adminPassword() }
  const { body } = await client(version).post<Tokens>('/api/token/', login, 200)
  return client(version, `Bearer ${body.access}`)
}
