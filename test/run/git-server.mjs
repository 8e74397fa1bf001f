import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs `work` with a Git server on 127.0.0.1, and passes it the settings of a product that may fetch from it. */
export async function withGitServer(work) {
  // Imported late, because it is built first.
  const { gitHandler, startHttpsServer } = await import(
    '../../services/revisions/dist/test/git/https-server.js'
  )
  const folder = await mkdtemp(join(tmpdir(), 'figbase-git-'))
  const server = await startHttpsServer(gitHandler(folder))
  try {
    await work({
      OUTBOUND_HOSTS_ALLOWED: `127.0.0.1:${server.port}`,
      GIT_CA_FILE: server.caFile,
      FIGBASE_TEST_GIT_URL: server.origin,
      FIGBASE_TEST_GIT_FOLDER: folder,
    })
  } finally {
    await server[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  }
}
