import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import ssh2 from 'ssh2'

export type SshServer = AsyncDisposable & {
  port: number
  /** Of its key, as `ssh-keygen -l` prints it. */
  commands: string[]
}

export type KeyPair = { privateKey: string; publicKey: string }

export function createKeyPair(): KeyPair {
  const { private: privateKey, public: publicKey } = ssh2.utils.generateKeyPairSync('ed25519')
  return { privateKey, publicKey }
}

/** Serves the bare repositories of a folder to the owner of a key, on 127.0.0.1. */
export async function startSshServer(
  root: string,
  host: KeyPair,
  { publicKey }: KeyPair,
): Promise<SshServer> {
  const allowed = ssh2.utils.parseKey(publicKey)
  if (allowed instanceof Error) throw allowed
  const commands: string[] = []
  const clients = new Set<ssh2.Connection>()
  const server = new ssh2.Server({ hostKeys: [host.privateKey] }, (client) => {
    clients.add(client)
    client.on('close', () => clients.delete(client))
    client.on('error', () => {})
    client.on('authentication', (context) => {
      const isKnown =
        context.method === 'publickey' &&
        context.key.data.equals(allowed.getPublicSSH()) &&
        (!context.signature ||
          allowed.verify(context.blob ?? Buffer.alloc(0), context.signature, context.hashAlgo))
      if (isKnown) context.accept()
      else context.reject(['publickey'])
    })
    client.on('session', (accept) => {
      const session = accept()
      session.on('env', (accept) => accept?.())
      session.on('exec', (accept, _reject, { command }) => {
        commands.push(command)
        const channel = accept()
        const path = /^git-upload-pack '(.+)'$/.exec(command)?.[1] ?? ''
        const child = spawn('git', ['upload-pack', join(root, path)], {
          env: {
            PATH: process.env.PATH,
            GIT_PROTOCOL: 'version=2',
            GIT_CONFIG_COUNT: '1',
            GIT_CONFIG_KEY_0: 'safe.directory',
            GIT_CONFIG_VALUE_0: '*',
          },
        })
        child.stdin.on('error', () => {})
        channel.pipe(child.stdin)
        child.stdout.pipe(channel, { end: false })
        child.stderr.pipe(channel.stderr, { end: false })
        child.on('close', (code) => {
          channel.exit(code ?? 1)
          channel.end()
        })
        channel.on('close', () => child.kill('SIGKILL'))
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    commands,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const client of clients) client.end()
      await closed
    },
  }
}
