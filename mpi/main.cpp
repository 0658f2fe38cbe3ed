// SPDX-License-Identifier: MIT
// rattleback-mpi: a cloud of grains on many processes.
//
//     mpirun -np 8 rattleback-mpi simulate Model.mo ...   as `rattleback simulate --engine liggghts`, whose grains are computed here
//     rattleback-mpi --serve NAME                         as that command starts it: messages come by the socket NAME
//
// The library and the command know nothing of MPI and LIGGGHTS; what they send is described in src/dem/remote.h. If LIGGGHTS ends
// with an error, or a process dies, the command goes on and says so.
#include "liggghts.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

enum Kind { SETUP = 1, CHANGE, ADVANCE, GRAINS, END, FAILED }; // ORDER RbRemoteKind

struct Head {
    unsigned long long kind, size;
};

struct Change { // ORDER RbRemoteChange
    long long removed, added, contacts, start, more;
};

typedef std::vector<unsigned char> Bytes;

class Server {
    int rank = 0, ranks = 1, socket = -1;
    Part *part = nullptr;
    Engine *engine = nullptr;

  public:
    explicit Server(int fd) : socket(fd) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    }

    // Returns the exit code.
    int serve() {
        for (;;) {
            Head head = {END, 0};
            Bytes body;
            bool heard = rank != 0 || receive(head, body);
            if (!heard) head = Head{END, 1}; // the command has gone
            MPI_Bcast(&head, sizeof head, MPI_BYTE, 0, MPI_COMM_WORLD);
            if (head.kind == END) return head.size == 0 ? 0 : 1;
            share(head, body);
            answer(head, body);
        }
    }
    ~Server() {
        delete engine;
        if (part) part_close(part);
    }

  private:
    bool read_all(void *to, size_t size) {
        for (size_t at = 0; at < size;) {
            ssize_t n = ::read(socket, (char *)to + at, std::min(size - at, (size_t)1 << 30));
            if (n == 0 || (n < 0 && errno != EINTR)) return false;
            if (n > 0) at += (size_t)n;
        }
        return true;
    }
    void write_all(const void *from, size_t size) {
        for (size_t at = 0; at < size && socket >= 0;) {
            ssize_t n = ::send(socket, (const char *)from + at, std::min(size - at, (size_t)1 << 30),
                               MSG_NOSIGNAL);
            if (n < 0 && errno != EINTR) return; // the next read finds out
            if (n > 0) at += (size_t)n;
        }
    }
    bool receive(Head &head, Bytes &body) {
        if (!read_all(&head, sizeof head)) return false;
        if (head.kind == END) return true;
        body.resize(head.size);
        return read_all(body.data(), head.size);
    }
    void share(const Head &head, Bytes &body) {
        const size_t most = 1 << 30;
        body.resize(head.size);
        for (size_t at = 0; at < head.size; at += most)
            MPI_Bcast(body.data() + at, (int)std::min(most, (size_t)head.size - at), MPI_BYTE, 0,
                      MPI_COMM_WORLD);
    }
    void send(unsigned long long kind, const void *bytes, size_t size) {
        Head head = {kind, size};
        if (rank != 0) return;
        write_all(&head, sizeof head);
        write_all(bytes, size);
    }
    void fail(const char *text) {
        send(FAILED, text, strlen(text));
    }

    void answer(const Head &head, const Bytes &body) {
        if (head.kind == SETUP) {
            part = part_open(body.data(), body.size(), rank == 0);
            if (!part)
                fail("it is of another version: install or build both programs together");
            else
                send(SETUP, nullptr, 0);
        } else if (head.kind == CHANGE)
            change(body);
        else if (head.kind == ADVANCE)
            advance(body);
        else if (head.kind == GRAINS)
            tell_grains(!body.empty() && body[0] != 0);
    }

    void change(const Bytes &body) {
        Change c;
        const unsigned char *at = body.data() + sizeof c;
        memcpy(&c, body.data(), sizeof c);
        std::vector<int> gone(c.removed);
        if (c.removed > 0) memcpy(gone.data(), at, gone.size() * sizeof(int));
        at += (gone.size() + gone.size() % 2) * sizeof(int);
        const Grain *grains = (const Grain *)at;
        const Contact *contacts = (const Contact *)(at + (size_t)c.added * sizeof(Grain));
        if (!engine) engine = Engine::open(part);
        engine->change(gone, grains, (size_t)c.added, contacts, (size_t)c.contacts, (int)c.start,
                       c.more != 0);
        send(CHANGE, nullptr, 0);
    }

    void advance(const Bytes &body) {
        if (!part_begin(part, body.data(), body.size())) return fail("it got an order that does not fit");
        engine->advance();
        std::vector<double> sums(part_sum_size(part));
        double most[PART_MOST];
        engine->sums(sums.data(), most);
        const unsigned char *bytes;
        size_t size = part_answer(part, sums.data(), most, &bytes);
        send(ADVANCE, bytes, size);
    }

    // Process by process: none holds those of all.
    template <class Item> void send_items(const std::vector<Item> &own) {
        if (rank != 0) {
            unsigned long long count = own.size();
            MPI_Send(&count, sizeof count, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
            for (size_t at = 0; at < own.size(); at += 1 << 20)
                MPI_Send(own.data() + at, (int)(std::min(own.size() - at, (size_t)1 << 20) * sizeof(Item)),
                         MPI_BYTE, 0, 2, MPI_COMM_WORLD);
            return;
        }
        write_all(own.data(), own.size() * sizeof(Item));
        std::vector<Item> others(1 << 20);
        for (int k = 1; k < ranks; k++) {
            unsigned long long count;
            MPI_Recv(&count, sizeof count, MPI_BYTE, k, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (size_t at = 0; at < count; at += 1 << 20) {
                size_t size = std::min((size_t)count - at, (size_t)1 << 20) * sizeof(Item);
                MPI_Recv(others.data(), (int)size, MPI_BYTE, k, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                write_all(others.data(), size);
            }
        }
    }

    void tell_grains(bool with_contacts) {
        std::vector<Grain> grains;
        std::vector<Contact> contacts;
        engine->grains(grains);
        if (with_contacts) engine->contacts(contacts);
        unsigned long long own[2] = {grains.size(), contacts.size()}, all[2];
        MPI_Reduce(own, all, 2, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0) {
            Head head = {GRAINS, sizeof all + all[0] * sizeof(Grain) + all[1] * sizeof(Contact)};
            write_all(&head, sizeof head);
            write_all(all, sizeof all);
        }
        send_items(grains);
        send_items(contacts);
    }
};

// The socket of the command that waits for us. It may not yet be there.
int connect_to(const char *name, pid_t command) {
    struct sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    size_t length = std::min(strlen(name), sizeof address.sun_path - 2);
    memcpy(address.sun_path + 1, name, length); // an abstract name: no file
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
    for (;;) {
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd >= 0 && connect(fd, (struct sockaddr *)&address, size) == 0) return fd;
        if (fd >= 0) close(fd);
        if (command == 0) return -1;
        siginfo_t info = {};
        if (waitid(P_PID, (id_t)command, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == command)
            return -1; // it has ended, perhaps without grains
        poll(nullptr, 0, 10);
    }
}

bool is_first() {
    const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"};
    for (const char *name : names) {
        const char *value = getenv(name);
        if (value) return atoi(value) == 0;
    }
    return true;
}

std::string beside(const char *program) {
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    std::string folder(path, n > 0 ? (size_t)n : 0);
    size_t slash = folder.rfind('/');
    std::string found = slash == std::string::npos ? program : folder.substr(0, slash + 1) + program;
    return access(found.c_str(), X_OK) == 0 ? found : program;
}

// The command, with our processes as its engine.
pid_t start_command(char **argv, const std::string &name) {
    pid_t child = fork();
    if (child != 0) return child;
    std::string program = beside("rattleback");
    std::vector<char *> arguments(1, (char *)program.c_str());
    for (char **a = argv + 1; *a; a++) arguments.push_back(*a);
    arguments.push_back((char *)"--engine");
    arguments.push_back((char *)"liggghts");
    arguments.push_back(nullptr);
    setenv("RATTLEBACK_ENGINE", name.c_str(), 1);
    execvp(program.c_str(), arguments.data());
    fprintf(stderr, "rattleback-mpi: cannot start %s: %s\n", program.c_str(), strerror(errno));
    _exit(127);
}

int code_of(pid_t command) {
    int status = 0;
    while (waitpid(command, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

} // namespace

int main(int argc, char **argv) {
    bool serves = argc == 3 && strcmp(argv[1], "--serve") == 0;
    if (argc < 2 || (!serves && strcmp(argv[1], "simulate") != 0)) {
        fprintf(stderr, "usage: mpirun -np N rattleback-mpi simulate MODEL.mo [options as of rattleback simulate]\n");
        return 2;
    }
    std::string name = serves ? argv[2] : "rattleback-mpi-" + std::to_string(getpid());
    pid_t command = !serves && is_first() ? start_command(argv, name) : 0;
    MPI_Init(&argc, &argv);
    setvbuf(stdout, nullptr, _IOLBF, 0); // LIGGGHTS says why it ends, and ends at once
    int rank, fd = -1, code = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) fd = connect_to(name.c_str(), command);
    int connected = fd >= 0;
    MPI_Bcast(&connected, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (connected) {
        Server server(fd);
        code = server.serve();
    }
    if (fd >= 0) close(fd);
    if (command > 0) code = code_of(command);
    MPI_Finalize();
    return rank == 0 ? code : 0;
}
