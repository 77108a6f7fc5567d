// A frame is made, then its time turns out to be no time.
// paper: SMOKE, figure 10 (firefox): leak on the early return
struct Time {
    long ticks;
    bool valid() const { return ticks >= 0; }
};
struct Frame {
    int kind = 0;
    Time at{0};
    void setKind(int k) { kind = k; }
};
struct Track {
    Frame *last = nullptr;
    ~Track() { delete last; }
    int take(long ticks, int kind);
    int takeWell(long ticks, int kind);
};

int Track::take(long ticks, int kind)
{
    Frame *frame = new Frame; // alloc: frame
    frame->setKind(kind);
    Time time{ticks};
    if (!time.valid())
        return -1; // leak: frame
    frame->at = time;
    delete last;
    last = frame;
    return 0;
}

int Track::takeWell(long ticks, int kind)
{
    Frame *frame = new Frame;
    frame->setKind(kind);
    Time time{ticks};
    if (!time.valid()) {
        delete frame;
        return -1;
    }
    frame->at = time;
    delete last;
    last = frame;
    return 0;
}

int main()
{
    Track t;
    t.take(1, 1);
    t.take(-1, 2);
    t.takeWell(2, 1);
    t.takeWell(-2, 2);
    return 0;
}
