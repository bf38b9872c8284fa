#!/usr/bin/env python3
"""What time tells of who is a user: bench/existence.py PROGRAM [--tries 1000] [--only NAME,...]

Starts a server of its own, imports users, and calls each operation for somebody who is there and for somebody who is not, in
pairs whose order is drawn. Machines are noisy, and more so when others work on them, so no mean of times counts, but how often
the one takes longer than the other:

    rank   the chance that a try of a user takes longer than one of nobody's, over all pairs of tries (Mann and Whitney);
           0.5 says nothing, and chance alone leads 0.013 away from it with 1,000 tries each
    pairs  the same for the two tries of a pair, which are next to each other in time

Both have to be within 0.05 of 0.5, and the answers the same. Ends with 1 where they are not.
"""
import argparse, hashlib, http.client, json, os, random, re, secrets, socket, statistics, subprocess, sys, tempfile, time

N = int('''
FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B302B0A6DF25F14374F
E1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7EDEE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA
48361C55D39A69163FA8FD24CF5F83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3BE39E77
2C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA051015728E5A8AAAC42DAD33170D04507A33A85521AB
DF1CBA64ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7ABF5AE8CDB0933D71E8C94E04A25619DCEE3D2261AD2EE6BF12FFA06D98A0864D87602733E
C86A64521F2B18177B200CBBE117577A615D6C770988C0BAD946E208E24FA074E5AB3143DB5BFCE0FD108E4B82D120A93AD2CAFFFFFFFFFFFFFFFF'''.replace('\n', ''), 16)
# Fewer tries for one user than those that lock somebody out.
TRIES_EACH = 4
TOLERANCE = 0.05


class Server:
    def __init__(self, program, folder):
        self.program, self.folder = os.path.abspath(program), folder
        with open(f'{folder}/schema.graphql', 'w') as f:
            f.write('type Todo @model { id: ID! }\n')
        self.process = subprocess.Popen([self.program, 'serve', '--port', '0'], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        text = ''
        for line in self.process.stdout:
            text += line
            if found := re.search(r'http://[^ ]*:(\d+)/', text):
                self.port = int(found[1])
                break
        else:
            raise SystemExit(f'the server ended: {text}')
        names = json.load(open(f'{folder}/.homeport/sign-in.json'))
        self.client, self.pool = names['clientId'], names['userPoolId'].split('_')[1]
        self.connection = http.client.HTTPConnection('127.0.0.1', self.port)
        self.connection.connect()
        self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def call(self, operation, members):
        """Nanoseconds, and what of the answer is not drawn."""
        body = json.dumps({'ClientId': self.client, **members}).encode()
        headers = {'Content-Type': 'application/x-amz-json-1.1', 'X-Amz-Target': f'AWSCognitoIdentityProviderService.{operation}'}
        start = time.perf_counter_ns()
        self.connection.request('POST', '/', body, headers)
        answer = self.connection.getresponse()
        text = answer.read()
        took = time.perf_counter_ns() - start
        content = json.loads(text or '{}')
        # The server's number is written without zeros in front: its length is drawn as well.
        length = len(text) - len(content.get('ChallengeParameters', {}).get('SRP_B', ''))
        return took, (answer.status, content.get('__type'), content.get('message'), tuple(sorted(content)), length if answer.status == 200 else 0)

    def make(self, lines):
        made = subprocess.run([self.program, 'users', 'import'], cwd=self.folder, input='\n'.join(json.dumps(l) for l in lines), text=True, capture_output=True)
        if made.returncode:
            raise SystemExit(f'users cannot be imported: {made.stderr}')

    def user(self, name, **more):
        salt = bytes([1 + secrets.randbelow(127)]) + secrets.token_bytes(15)
        inner = hashlib.sha256(f'{self.pool}{name}:Str0ng!Passw0rd'.encode()).digest()
        x = int.from_bytes(hashlib.sha256(salt + inner).digest(), 'big')
        return {'username': name, 'srp': {'salt': salt.hex(), 'verifier': f'{pow(2, x, N):0768x}'},
                'attributes': {'email': f'{name}@example.com', 'email_verified': 'true'}, **more}


A = f'{pow(2, secrets.randbits(256), N):x}'
OPERATIONS = {
    'srp': ('confirmed', 'InitiateAuth', lambda n: {'AuthFlow': 'USER_SRP_AUTH', 'AuthParameters': {'USERNAME': n, 'SRP_A': A}}),
    'password': ('confirmed', 'InitiateAuth', lambda n: {'AuthFlow': 'USER_PASSWORD_AUTH', 'AuthParameters': {'USERNAME': n, 'PASSWORD': 'Wr0ng!Word'}}),
    'forgot': ('confirmed', 'ForgotPassword', lambda n: {'Username': n}),
    'reset': ('confirmed', 'ConfirmForgotPassword', lambda n: {'Username': n, 'ConfirmationCode': '000000', 'Password': 'N3w!Passw0rd'}),
    'confirm': ('unconfirmed', 'ConfirmSignUp', lambda n: {'Username': n, 'ConfirmationCode': '000000'}),
    'resend': ('unconfirmed', 'ResendConfirmationCode', lambda n: {'Username': n}),
    'choice': ('confirmed', 'InitiateAuth', lambda n: {'AuthFlow': 'USER_AUTH', 'AuthParameters': {'USERNAME': n}}),
}


def rank(known, unknown):
    """The chance that one of the first is greater than one of the second."""
    both = sorted([(t, 1) for t in known] + [(t, 0) for t in unknown])
    total = sum(i + 1 for i, (_, is_known) in enumerate(both) if is_known)
    return (total - len(known) * (len(known) + 1) / 2) / (len(known) * len(unknown))


def names(kind, count):
    """As many as are tried, all of one length."""
    return [f'{kind}{i:06}' for i in range(count)]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('program')
    arguments.add_argument('--tries', type=int, default=1_000)
    arguments.add_argument('--only', default=','.join(OPERATIONS))
    wish = arguments.parse_args()
    wanted = wish.only.split(',')
    each = -(-wish.tries // TRIES_EACH)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(wish.program, folder)
        try:
            bad = 0
            for index, what in enumerate(wanted):
                status, operation, members = OPERATIONS[what]
                # Users of their own for each operation: tries of the one do not count for the next.
                known, nobody = names(f'user{index}x', each), names(f'none{index}x', each)
                server.make([server.user(n, status=status.upper()) for n in known])
                pairs, answers = [], {True: {}, False: {}}
                for _ in range(50):
                    server.call(operation, members(f'warm{index}x{secrets.randbelow(10 ** 6):06}'))
                turns = [i for i in range(each) for _ in range(TRIES_EACH)][:wish.tries]
                random.shuffle(turns)
                for turn in turns:
                    took = {}
                    for is_known in random.sample([True, False], 2):
                        took[is_known], answer = server.call(operation, members((known if is_known else nobody)[turn]))
                        answers[is_known][answer] = answers[is_known].get(answer, 0) + 1
                    pairs.append((took[True], took[False]))
                first, second = [p[0] for p in pairs], [p[1] for p in pairs]
                ranked, paired = rank(first, second), sum(a > b for a, b in pairs) / len(pairs)
                isSame = set(answers[True]) == set(answers[False])
                isGood = isSame and abs(ranked - 0.5) <= TOLERANCE and abs(paired - 0.5) <= TOLERANCE
                bad += not isGood
                print(f'{what:9} median of users {statistics.median(first) / 1e6:7.3f} ms, of nobody {statistics.median(second) / 1e6:7.3f} ms   '
                      f'rank {ranked:.3f}  pairs {paired:.3f}  answers {"the same" if isSame else "DIFFER"}   {"good" if isGood else "TELLS"}', flush=True)
                if not isSame:
                    for is_known in (True, False):
                        print('         ', 'users ' if is_known else 'nobody', answers[is_known])
            return 1 if bad else 0
        finally:
            server.process.terminate()
            server.process.wait()


if __name__ == '__main__':
    sys.exit(main())
