import { readS3Settings, readSettings } from '@figbase/kit/objects/client'

/** The deployment under test, from the environment. */
export const deployment = Object.freeze({
  origin: readOrigin(process.env.FIGBASE_URL),
  topology: process.env.FIGBASE_TOPOLOGY ?? 'unnamed topology',
  /** The number of processes of each service. */
  replicas: Number(process.env.FIGBASE_TEST_REPLICAS ?? 1),
  adminPasswordFile: process.env.FIGBASE_ADMIN_PASSWORD_FILE,
  /** The data directory of a deployment on this machine, otherwise undefined. */
  dataDir: process.env.FIGBASE_DATA_DIR,
  /** The issuer of the OpenID Connect provider, if the deployment has one. */
  issuer: process.env.OIDC_ISSUER,
  /** The scripted language model of the deployment, if it has one. */
  modelUrl: process.env.FIGBASE_TEST_MODEL_URL,
  /** A Git server that the deployment may fetch from, with the bare repositories of a folder. */
  git: { url: process.env.FIGBASE_TEST_GIT_URL, folder: process.env.FIGBASE_TEST_GIT_FOLDER },
  /** The bucket of a deployment that stores objects on S3. */
  s3: readSettings(process.env, (env) => ({ options: readS3Settings(env) })).options,
  /** Empty buckets on the same server, which is also the storage vendor `aws`. */
  buckets: process.env.FIGBASE_TEST_BUCKETS?.split(',') ?? [],
})

/** The versions of the API, oldest first. */
export const VERSIONS = ['v1', 'v1.1', 'v1.2', 'v1.3', 'v1.4', 'v1.4.1'] as const

export type Version = (typeof VERSIONS)[number]

export const LATEST: Version = 'v1.4.1'

/** Whether `version` is `since` or newer. */
export function isFrom(version: Version, since: Version): boolean {
  return VERSIONS.indexOf(version) >= VERSIONS.indexOf(since)
}

function readOrigin(url: string | undefined): URL {
  if (!url) {
    throw new Error('set FIGBASE_URL to the deployment under test, e.g. http://127.0.0.1:8123')
  }
  return new URL(new URL(url).origin)
}
