#!/usr/bin/env bash
# Makes an authority of your own and, signed by it, certificates for a server and for a client, to try TLS with.
#
#   Samples/certs.sh FOLDER [NAME…]     NAMEs of the server; localhost and this machine's own addresses are always there
#
# ca.pem is what clients trust; server.pem and server.key are for `serve --tls-cert --tls-key`; client.pem and
# client.key are for clients of a server with `--tls-client-ca ca.pem`. DAYS (default 365) is how long they hold.
set -euo pipefail

if [[ $# -lt 1 || "$1" == -* ]]; then
    sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
    exit 64
fi
command -v openssl >/dev/null || { echo "certs: openssl is not installed" >&2; exit 69; }
folder=$1
shift
days=${DAYS:-365}
[[ "$days" =~ ^-?[0-9]+$ ]] || { echo "certs: DAYS=$days is not a number of days" >&2; exit 64; }
mkdir -p "$folder"
cd "$folder"
umask 077

names="DNS:localhost,IP:127.0.0.1,IP:::1"
for name in "$@"; do
    if [[ "$name" =~ ^[0-9.]+$ || "$name" == *:* ]]; then names+=",IP:$name"; else names+=",DNS:$name"; fi
done

key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1"; }

# An authority that is there is kept, so that more certificates can be made by it.
if [[ ! -e ca.key ]]; then
    key ca.key
    openssl req -x509 -new -key ca.key -sha256 -days 3650 -subj "/CN=Marquee test authority" \
        -addext "basicConstraints=critical,CA:TRUE" -addext "keyUsage=critical,keyCertSign,cRLSign" -out ca.pem
fi

# sign WHO SUBJECT EXTENSIONS
sign() {
    key "$1.key"
    openssl req -new -key "$1.key" -sha256 -subj "/CN=$2" -out "$1.csr"
    openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -sha256 -days "$days" \
        -extfile <(printf '%s\n' "basicConstraints=CA:FALSE" "$3") -out "$1.pem" 2>/dev/null
    rm "$1.csr"
}

sign server "${1:-localhost}" "subjectAltName=$names"$'\n'"extendedKeyUsage=serverAuth"
sign client "${CLIENT:-publisher}" "extendedKeyUsage=clientAuth"
chmod 644 ca.pem server.pem client.pem
echo "certs: $PWD has ca.pem, server.pem, server.key, client.pem and client.key"
