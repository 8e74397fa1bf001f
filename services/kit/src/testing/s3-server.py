"""An S3 server for tests: OpenStack Swift with s3api on loopback, in the given folder.

Prints its port when it is ready, and exits when its standard input is closed.
"""
import os
import signal
import socket
import subprocess
import sys
import time
import traceback

from swift.account import server as account
from swift.common.ring import RingBuilder
from swift.common.wsgi import run_wsgi
from swift.container import server as container
from swift.obj import server as objects

FILTERS = {
    'catch_errors': '',
    'cache': 'use = egg:swift#memcache\nmemcache_servers = 127.0.0.1:{cache}',
    'listing_formats': '',
    'bulk': '',
    # Short pages, so that tests list several.
    's3api': 'location = us-east-1\nmax_bucket_listing = 20',
    'tempauth': 'user_test_tester = testing .admin',
    'slo': '',
    'dlo': '',
    'versioned_writes': '',
    'symlink': '',
}
STORAGE = {'account': account, 'container': container, 'object': objects}


def free_ports(names):
    """A free port for each name."""
    sockets = {name: socket.create_server(('127.0.0.1', 0)) for name in names}
    ports = {name: one.getsockname()[1] for name, one in sockets.items()}
    for one in sockets.values():
        one.close()
    return ports


def write_ring(folder, name, port):
    builder = RingBuilder(4, 1, 0)
    device = {'region': 1, 'zone': 1, 'device': 'disk', 'weight': 1.0, 'ip': '127.0.0.1', 'port': port}
    builder.add_dev({**device, 'replication_ip': '127.0.0.1', 'replication_port': port, 'meta': ''})
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, name + '.ring.gz'))


def write_config(folder, name, port, sections):
    file = os.path.join(folder, name + '.conf')
    defaults = {
        'bind_ip': '127.0.0.1', 'bind_port': port, 'swift_dir': folder, 'devices': folder,
        'mount_check': 'false', 'disable_fallocate': 'true', 'workers': 0,
        'user': subprocess.check_output(['id', '-un'], text=True).strip(), 'log_level': 'ERROR',
    }
    with open(file, 'w') as out:
        out.write('[DEFAULT]\n' + ''.join(f'{key} = {value}\n' for key, value in defaults.items()))
        out.write(sections)
    return file


def proxy_sections(ports):
    pipeline = '[pipeline:main]\npipeline = ' + ' '.join(FILTERS) + ' proxy-server\n'
    app = '[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\n'
    filters = ''
    for name, text in FILTERS.items():
        use = '' if text.startswith('use = ') else f'use = egg:swift#{name}\n'
        filters += f'[filter:{name}]\n{use}{text.format(**ports)}\n'
    return pipeline + app + filters


def storage_sections(name):
    return f'[pipeline:main]\npipeline = {name}-server\n[app:{name}-server]\nuse = egg:swift#{name}\n'


def serve(file, name, **options):
    """In a process of its own, which has read the same modules already."""
    pid = os.fork()
    if pid == 0:
        try:
            run_wsgi(file, name + '-server', **options)
        finally:
            traceback.print_exc()
            os._exit(1)
    return pid


def await_port(port):
    end = time.monotonic() + 60
    while True:
        try:
            socket.create_connection(('127.0.0.1', port), 1).close()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)


def main(folder):
    ports = free_ports([*STORAGE, 'proxy', 'cache'])
    os.mkdir(os.path.join(folder, 'disk'))
    cache = ['memcached', '-l', '127.0.0.1', '-p', str(ports['cache']), '-U', '0', '-u', 'nobody']
    pids = [subprocess.Popen(cache).pid]
    try:
        for name, module in STORAGE.items():
            write_ring(folder, name, ports[name])
            file = write_config(folder, name, ports[name], storage_sections(name))
            callback = getattr(module, 'global_conf_callback', None)
            pids.append(serve(file, name, **({'global_conf_callback': callback} if callback else {})))
        file = write_config(folder, 'proxy', ports['proxy'], proxy_sections(ports))
        pids.append(serve(file, 'proxy'))
        for port in ports.values():
            await_port(port)
        # From here on the servers have handlers of their own.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        print(ports['proxy'], flush=True)
        sys.stdin.read()
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGKILL)


if __name__ == '__main__':
    main(sys.argv[1])
