"""The servers that are compared: ours as it is shipped, its peers as their packages install them, and the limit."""

import contextlib
import os
import re
import shutil

from . import build
from .catalogue import RECORDS, catalogue_copy, programme
from .processes import Failure, Server, free_port, run

CERTIFICATES = build.FOLDER / "certs"

# Where Debian puts it.
NCHAN = "/usr/lib/nginx/modules/ngx_nchan_module.so"

# A large screen, and a page of about as many bytes.
PAGE_RECORDS, PAGE_BYTES = 140, 30_000


def which(program):
    """Where a program is. Debian puts servers where only root looks."""
    return shutil.which(program) or shutil.which(program, path="/usr/sbin:/usr/local/sbin")


class System:
    """A server, and the protocol by which the load generator speaks to it."""

    def __init__(self, name, protocol, start, program=None, note="", authority=None, by_web=False):
        """`authority` is the file of the one that has issued the server's certificate, or None without TLS. `by_web`
        says whether subscribers come by Marquee's web door; `program` is one, or the file of a module."""
        self.name, self.protocol, self.note, self.authority, self.by_web = name, protocol, note, authority, by_web
        self._start, self._program = start, program

    @property
    def missing(self):
        """Why it can't be run here; empty if it can."""
        if self._program and not which(self._program) and not os.path.isfile(self._program):
            return f"{self._program} is not installed"
        return ""

    @contextlib.contextmanager
    def serving(self, folder):
        with self._start(folder) as server:
            yield server

    def prepare(self, server, generator):
        """Tells the generator where subscribers have to connect, before any has."""
        if self.by_web:
            found = re.search(r"web on http://127\.0\.0\.1:(\d+)", server.output())
            if not found:
                raise Failure(f"{self.name} did not say where its web door is")
            generator.do(f"door {found.group(1)}")


def make_certificates():
    """An authority, and a server's certificate and key (ECDSA, P-256), for the systems with TLS."""
    run([build.REPOSITORY / "Samples" / "certs.sh", CERTIFICATES], 60, capture_output=True)


def serve_catalogue(data, folder, records=RECORDS, options=()):
    """Our server on a copy of a catalogue of so many records, with further options."""
    arguments = [
        build.server(), "serve", "--data", data, "--programme", programme(records), "--listen", "127.0.0.1:0", "--open",
        *options,
    ]
    return Server(arguments, folder / "marquee.log")


def _limit(mode):
    return lambda folder: Server([build.load_program("FanoutLimit"), mode], folder / f"limit-{mode}.log")


def _redis(folder, secure=False):
    port = free_port()
    listening = ["--port", port]
    if secure:
        listening = [
            "--port", 0, "--tls-port", port, "--tls-cert-file", CERTIFICATES / "server.pem",
            "--tls-key-file", CERTIFICATES / "server.key", "--tls-ca-cert-file", CERTIFICATES / "ca.pem",
            "--tls-auth-clients", "no",
        ]
    arguments = [
        which("redis-server"), "--bind", "127.0.0.1", *listening, "--save", "", "--appendonly", "no",
        "--tcp-backlog", "4096", "--maxclients", "20000", "--dir", folder,
    ]
    return Server(arguments, folder / "redis.log", port)


def _nats(folder):
    port = free_port()
    return Server([which("nats-server"), "--addr", "127.0.0.1", "--port", port], folder / "nats.log", port)


def _mosquitto(folder):
    port = free_port()
    settings = folder / "mosquitto.conf"
    settings.write_text(
        f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\n"
        "max_inflight_messages 0\nmax_queued_messages 0\nlog_type error\n", encoding="utf-8")
    return Server([which("mosquitto"), "-c", settings], folder / "mosquitto.log", port)


def _grpc(folder):
    return Server([build.grpc_program()], folder / "grpc.log")


def _redis_tls(folder):
    return _redis(folder, secure=True)


def _nginx_tls(folder):
    port = free_port()
    settings = folder / "nginx.conf"
    (folder / "home").write_text("." * PAGE_BYTES, encoding="utf-8")
    settings.write_text(
        f"daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/nginx.log;\n"
        "events { worker_connections 20000; }\n"
        f"http {{ access_log off; keepalive_timeout 1h; server {{ listen 127.0.0.1:{port} ssl backlog=4096; "
        f"root {folder}; ssl_certificate {CERTIFICATES}/server.pem; ssl_certificate_key {CERTIFICATES}/server.key; "
        "ssl_protocols TLSv1.3; } }\n", encoding="utf-8")
    return Server([which("nginx"), "-c", settings], folder / "nginx.output", port)


def _nchan(folder):
    port = free_port()
    settings = folder / "nchan.conf"
    temporary = " ".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    settings.write_text(
        f"load_module {NCHAN};\ndaemon off; master_process off; pid {folder}/nginx.pid; "
        f"error_log {folder}/nginx.log;\nevents {{ worker_connections 20000; }}\n"
        f"http {{ access_log off; keepalive_timeout 1h; keepalive_requests 1000000; {temporary}\n"
        f"server {{ listen 127.0.0.1:{port} backlog=4096; nchan_channel_id home;\n"
        "location = /publish { nchan_publisher http; }\n"
        "location = /home { nchan_subscriber websocket eventsource; } } }\n", encoding="utf-8")
    return Server([which("nginx"), "-c", settings], folder / "nginx.output", port)


def _marquee_web(folder):
    return serve_catalogue(catalogue_copy(folder), folder, options=["--web", "127.0.0.1:0"])


def _marquee(folder):
    return serve_catalogue(catalogue_copy(folder), folder)


def _marquee_page(folder):
    return serve_catalogue(catalogue_copy(folder, PAGE_RECORDS), folder, PAGE_RECORDS)


@contextlib.contextmanager
def _marquee_relay(folder):
    with _marquee(folder) as origin:
        arguments = [
            build.server(), "relay", "--upstream", f"127.0.0.1:{origin.port}", "--listen", "127.0.0.1:0",
        ]
        with Server(arguments, folder / "relay.log") as relay:
            yield relay


TLS_OPTIONS = ["--tls-cert", CERTIFICATES / "server.pem", "--tls-key", CERTIFICATES / "server.key"]


def _marquee_tls(folder):
    return serve_catalogue(catalogue_copy(folder), folder, options=TLS_OPTIONS)


def _marquee_page_tls(folder):
    return serve_catalogue(catalogue_copy(folder, PAGE_RECORDS), folder, PAGE_RECORDS, TLS_OPTIONS)


LIMIT = System("limit", "raw", _limit("one"), note="C, epoll: one send for each subscriber and update")
LIMIT_ALL = System("limit, all queued", "raw", _limit("all"), note="C, epoll: all that is queued in one send")
MARQUEE = System("marquee", "marquee", _marquee, note="marquee-server, release build")
MARQUEE_RELAY = System("marquee-relay", "marquee", _marquee_relay, note="the same behind it, without a store")
REDIS = System("redis", "redis", _redis, "redis-server", "pub/sub")
NATS = System("nats", "nats", _nats, "nats-server", "core")
MOSQUITTO = System("mosquitto", "mqtt", _mosquitto, "mosquitto", "MQTT 3.1.1, QoS 0 to subscribers")
GRPC = System("grpc-swift-2", "grpc", _grpc, note="server streaming, without TLS")

AUTHORITY = CERTIFICATES / "ca.pem"
MARQUEE_TLS = System("marquee-tls", "marquee", _marquee_tls, note="the same, with TLS", authority=AUTHORITY)
REDIS_TLS = System("redis-tls", "redis", _redis_tls, "redis-server", "pub/sub, with TLS", authority=AUTHORITY)
NGINX_TLS = System("nginx-tls", "http", _nginx_tls, "nginx", "a page, then keep-alive, with TLS", authority=AUTHORITY)
# The same servers with a larger screen.
MARQUEE_PAGE = System("marquee", "marquee", _marquee_page)
MARQUEE_PAGE_TLS = System("marquee-tls", "marquee", _marquee_page_tls, authority=AUTHORITY)

LIMIT_MESSAGES = System("limit, messages", "raw-socket", _limit("messages"), note="as the limit, in WebSocket messages")
MARQUEE_SOCKET = System(
    "marquee-websocket", "marquee-socket", _marquee_web, note="the same, by WebSocket", by_web=True)
MARQUEE_EVENTS = System(
    "marquee-events", "marquee-events", _marquee_web, note="the same, by server-sent events", by_web=True)
NCHAN_SOCKET = System("nchan-websocket", "nchan-socket", _nchan, NCHAN, "nginx with nchan, by WebSocket")
NCHAN_EVENTS = System("nchan-events", "nchan-events", _nchan, NCHAN, "the same, by server-sent events")

# Those that other rows don't build for.
ALL = [LIMIT, LIMIT_ALL, MARQUEE, REDIS, NATS, MOSQUITTO]
# By name: the same system without TLS.
PLAIN = {MARQUEE_TLS.name: MARQUEE, REDIS_TLS.name: REDIS}
