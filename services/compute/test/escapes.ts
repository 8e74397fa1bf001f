/** What an attempt to escape needs to know of the machine. */
export type Target = {
  secretFile: string
  dataDirectory: string
  otherVolume: string
  loopbackPort: number
  otherNotebookPort: number
  abstractSocket: string
  hostPid: number
  memoryBytesMax: number
  volumeBytesMax: number
}

/**
 * An attempt in Python: an expression, or statements that set `result`. `refusal` matches the name of the exception, or
 * the result.
 */
export type Escape = { name: string; code: (target: Target) => string; refusal: RegExp }

const connect = (family: string, address: string) =>
  `import socket; s = socket.socket(socket.${family}); s.settimeout(3); s.connect(${address}); result = 'connected'`
const program = (...words: string[]) =>
  `import subprocess; result = subprocess.run(${JSON.stringify(words)}, capture_output=True).returncode or 'done'`
const write = (path: string) => `open('${path}', 'w').write('x'); result = 'written'`

const notFound = /^FileNotFoundError/
const notPermitted = /^PermissionError/
const failed = /^[1-9]\d*$/

export const escapes: Escape[] = [
  {
    name: 'reads a file with a password',
    code: ({ secretFile }) => `result = open('${secretFile}').read()`,
    refusal: notFound,
  },
  {
    name: 'lists the data directory',
    code: ({ dataDirectory }) => `result = os.listdir('${dataDirectory}')`,
    refusal: notFound,
  },
  {
    name: 'reads files of another instance',
    code: ({ otherVolume }) => `result = open('${otherVolume}/welcome.ipynb').read()`,
    refusal: notFound,
  },
  {
    name: 'reads files through the root of the first process',
    code: ({ secretFile }) => `result = open('/proc/1/root${secretFile}').read()`,
    refusal: /^(PermissionError|FileNotFoundError)/,
  },
  {
    name: 'reads accounts of the machine',
    code: () => `result = sorted(line.split(':')[0] for line in open('/etc/passwd'))`,
    refusal: /^\["notebook"\]$/,
  },
  {
    name: 'connects to a loopback port of the machine',
    code: ({ loopbackPort }) => connect('AF_INET', `('127.0.0.1', ${loopbackPort})`),
    refusal: /^ConnectionRefusedError/,
  },
  {
    name: 'connects to the notebook server of another instance',
    code: ({ otherNotebookPort }) => connect('AF_INET', `('127.0.0.1', ${otherNotebookPort})`),
    refusal: /^ConnectionRefusedError/,
  },
  {
    name: 'connects to another machine',
    code: () => connect('AF_INET', `('192.0.2.1', 80)`),
    refusal: /^OSError 101/,
  },
  {
    name: 'connects to an abstract socket of the machine',
    code: ({ abstractSocket }) => connect('AF_UNIX', `'\\0${abstractSocket}'`),
    refusal: /^ConnectionRefusedError/,
  },
  {
    name: 'replaces the socket of Figbase',
    code: () => `os.unlink('/run/figbase/figbase.sock'); result = 'deleted'`,
    refusal: /^OSError 30/,
  },
  {
    name: 'reads the environment of Figbase',
    code: ({ hostPid }) => `result = open('/proc/${hostPid}/environ').read()`,
    refusal: notFound,
  },
  {
    name: 'sees other processes',
    code: () =>
      `result = [p for p in os.listdir('/proc') if p.isdigit() and b'node' in open(f'/proc/{p}/cmdline', 'rb').read().split(b'\\0')[0]]`,
    refusal: /^\[\]$/,
  },
  {
    name: 'controls processes that have no limits',
    code: () => `
import ctypes
libc = ctypes.CDLL(None)
def has_limits(pid):
    return 'Seccomp:\\t2' in open(f'/proc/{pid}/status').read()
pids = [int(p) for p in os.listdir('/proc') if p.isdigit()]
result = [p for p in pids if not has_limits(p) and libc.ptrace(16, p, 0, 0) == 0]`,
    refusal: /^\[\]$/,
  },
  {
    name: 'signals Figbase',
    code: ({ hostPid }) => `os.kill(${hostPid}, 0); result = 'signalled'`,
    refusal: /^ProcessLookupError/,
  },
  {
    name: 'becomes root',
    code: () => `os.setuid(0); result = 'root'`,
    // In its user name space there is no such account.
    refusal: /^OSError 22/,
  },
  { name: 'becomes root by a program', code: () => program('su', '-c', 'true'), refusal: failed },
  { name: 'makes a name space', code: () => program('unshare', '-Ur', 'true'), refusal: failed },
  {
    name: 'makes a confinement',
    code: () => program('bwrap', '--bind', '/', '/', 'true'),
    refusal: failed,
  },
  {
    name: 'mounts a file system in memory',
    code: () => program('mount', '-t', 'tmpfs', 'x', '/tmp'),
    refusal: failed,
  },
  {
    name: 'makes a device',
    code: () => `os.mknod('/tmp/disk', 0o60600, os.makedev(254, 0)); result = 'made'`,
    refusal: notPermitted,
  },
  { name: 'writes below /', code: () => write('/x'), refusal: /^OSError 30/ },
  { name: 'writes below /dev', code: () => write('/dev/x'), refusal: /^OSError 30/ },
  { name: 'writes to programs', code: () => write('/usr/bin/x'), refusal: /^OSError 30/ },
  {
    name: 'changes the kernel',
    code: () => write('/proc/sys/kernel/core_pattern'),
    refusal: /^(PermissionError|OSError 30)/,
  },
  {
    name: 'starts processes without end',
    code: () => `
import signal
children = []
try:
    while len(children) < 5000:
        child = os.fork()
        if child == 0: time.sleep(3600)
        children.append(child)
    result = 'forked 5000'
finally:
    for child in children: os.kill(child, signal.SIGKILL)
    for child in children: os.waitpid(child, 0)`,
    refusal: /^BlockingIOError/,
  },
  {
    name: 'takes more memory than it may',
    code: ({ memoryBytesMax }) => `result = len(bytearray(${memoryBytesMax}))`,
    refusal: /^MemoryError/,
  },
  {
    name: 'takes memory that belongs to no process',
    code: () => `result = os.memfd_create('x')`,
    refusal: /^OSError 38/,
  },
  {
    name: 'takes shared memory that belongs to no process',
    code: () => `import ctypes; result = ctypes.CDLL(None).shmget(0, 4096, 0o1600)`,
    refusal: /^-1$/,
  },
  {
    name: 'writes a file that is larger than its volume',
    code: ({ volumeBytesMax }) => `
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with open('large', 'wb') as file: file.truncate(${volumeBytesMax} + 1)
result = 'written'`,
    refusal: /^OSError 27/,
  },
  {
    name: 'raises its limits',
    code: () =>
      `import resource; resource.setrlimit(resource.RLIMIT_NPROC, (9999, 9999)); result = 'raised'`,
    refusal: /^ValueError/,
  },
  {
    name: 'raises its priority',
    code: () => `os.nice(-1); result = 'raised'`,
    refusal: notPermitted,
  },
]

/** A program that makes all attempts, and reports what came of each by its name. */
export const programOf = (target: Target): string => `
attempts = json.loads(${JSON.stringify(
  JSON.stringify(escapes.map(({ name, code }) => [name, code(target)])),
)})
results = {}
for name, code in attempts:
    values = {'os': os, 'time': time}
    try:
        exec(code, values)
        results[name] = json.dumps(values['result'])
    except Exception as error:
        results[name] = ' '.join(str(part) for part in (type(error).__name__, getattr(error, 'errno', ''), error))
report(results)`
